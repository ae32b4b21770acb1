#!/bin/bash
# What a setup changes the desktop with, and the home folder that the paths of tasks are below.
set -eu
apt-get update
apt-get install -y --no-install-recommends bc feh gsettings-desktop-schemas jq libglib2.0-bin mousepad x11-xserver-utils xsettingsd
apt-get clean
rm -rf /var/lib/apt/lists/*
find / -xdev -perm /6000 -type f -exec chmod a-s {} +
usermod --home /home/user desktop
install -d -m 0700 -o desktop -g desktop /home/user
