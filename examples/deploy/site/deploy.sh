# Stands for a real deployment: copies the site to where the environment serves it from.
set -eu
mkdir -p "served/$1"
cp index.html "served/$1/"
echo "index.html is served from $1"
