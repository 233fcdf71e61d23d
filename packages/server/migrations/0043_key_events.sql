-- A wallet manages the API keys of all of its digital keys, whichever of them it is signed in for. The events of these keys belong to
-- the holder, so the holder may add them. Who may read events stays as it is.
ALTER POLICY in_scope ON events
  WITH CHECK (
    (token_id = scope_token_id() OR token_id IS NULL AND scope_token_id() IS NOT NULL)
      AND (holder_id IS NULL OR holder_id = scope_holder_id())
    OR holder_id = scope_holder_id()
  );
