"""What the MCP server says and is told, and how it waits, apart from the protocol's own library."""
