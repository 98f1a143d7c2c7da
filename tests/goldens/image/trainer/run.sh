#!/bin/sh
echo trained
