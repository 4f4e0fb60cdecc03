"""Charts: pure functions from results to Plotly figures. They know neither Streamlit nor the store."""
