"""What a change may do without anybody having to say so: a small file, and its judgement on a report."""
