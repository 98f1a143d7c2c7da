#!/bin/bash
echo Zürich
