"""Rules about machines on Azure in scale sets."""
