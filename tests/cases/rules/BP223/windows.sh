#!/bin/bash
nvidia-smi
