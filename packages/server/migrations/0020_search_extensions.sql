-- Trigrams, and whole numbers beside them in one index. An administrator may have installed both in another schema.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA keyfront;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA keyfront;
