# An image for workloads: the one that the blueprint names, with the Python packages of the blueprint.
ARG BASE_IMAGE
FROM ${BASE_IMAGE}

# As the user of that image, which stays the user of this one.
ARG PYTHON_INDEX=""
COPY requirements.txt /tmp/requirements.txt
# With a package repository of the project's own, the keyring fetches the build account's token for pip.
RUN if [ -n "${PYTHON_INDEX}" ]; then \
      pip install --no-cache-dir keyring keyrings.google-artifactregistry-auth \
      && pip install --no-cache-dir --index-url "${PYTHON_INDEX}" --requirement /tmp/requirements.txt; \
    else \
      pip install --no-cache-dir --requirement /tmp/requirements.txt; \
    fi
