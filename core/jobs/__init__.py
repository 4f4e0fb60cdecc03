"""Long work in processes of its own: started by the workspace, claimed once, resumed where it was left."""
