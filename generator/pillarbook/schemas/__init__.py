"""JSON Schemas of what pillarbook writes and of what people declare for it."""

from pillarbook.schemas.catalogue import SCHEMAS, list_files, write_schema

__all__ = ["SCHEMAS", "list_files", "write_schema"]
