
#!/bin/bash
