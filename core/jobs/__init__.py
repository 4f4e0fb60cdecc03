"""Long work in separate processes: started by the workspace, leased to one worker, resumable."""
