"""`python -m memory_service`."""

from memory_service.cli.app import main

if __name__ == "__main__":
    main()
