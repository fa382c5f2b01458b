-- The secret that all nodes of this database share, in one row. `master` is null where the nodes have it from SECRET;
-- `digest` is then enough to find a node with another one.
CREATE TABLE shop.shared_secret (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  digest text NOT NULL,
  master text
);
