echo solved
