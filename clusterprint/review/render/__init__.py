"""Reports laid out: one file for each form. Renderers decide nothing but what is folded for want of room."""
