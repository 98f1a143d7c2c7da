#!/bin/bash
nvidia-smi
