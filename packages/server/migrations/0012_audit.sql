-- What administrators did: who, when, to what, and how it was before. For administrators alone; nothing of it ever changes.

CREATE TABLE audit (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  administrator wallet_address NOT NULL,
  subject text NOT NULL CHECK (subject IN ('CLIENT', 'ORDER', 'STRAIN', 'PLANET')),
  subject_id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('CREATE', 'CHANGE')),
  -- Only the fields that changed; nothing stood before what was created.
  before jsonb,
  after jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((action = 'CREATE') = (before IS NULL))
);
CREATE INDEX audit_by_time ON audit (created_at DESC, id DESC);
CREATE INDEX audit_by_subject ON audit (subject, subject_id, created_at DESC, id DESC);

GRANT SELECT, INSERT ON audit TO keyfront_platform;
