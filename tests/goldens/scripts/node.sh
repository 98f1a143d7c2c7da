#!/bin/bash
echo node
