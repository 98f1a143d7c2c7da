"""What runs in the simulated cloud: jobs in clusters, programs over machines, and shells that only answer.

Nothing is executed. A run goes through its states by the clock of the cloud's folder, which moves only when a
command enters the folder or waits there, so that the same commands have the same answers. All text of a run
says that it is simulated.
"""
