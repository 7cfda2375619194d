from infila.cli import main

main()
