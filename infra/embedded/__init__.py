"""The store that comes with the service: started, watched over, looked at when damaged."""
