"""What a blueprint comes to, without building it: its machines, what they cost, where its state is."""
