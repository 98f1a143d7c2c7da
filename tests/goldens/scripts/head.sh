#!/bin/bash
echo head
