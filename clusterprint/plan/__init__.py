"""Plans: plain typed data in which every decision is made.

Plans come out of `resolve` and go into `stacks`. They have no defaults and nothing optional that a
stack would have to think about; an empty text or None means that the argument is left out.
"""
