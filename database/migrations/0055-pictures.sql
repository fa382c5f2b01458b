-- Uploaded pictures, and the pictures of a product with their order and alternative texts.

CREATE TABLE shop.picture (
  -- of the uploaded file and of how it is encoded; begins the names of its files
  hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{32}$'),
  -- of its largest file
  width integer NOT NULL CHECK (width BETWEEN 1 AND 1600),
  height integer NOT NULL CHECK (height BETWEEN 1 AND 1600),
  -- RRGGBB; null where it is partly transparent
  colour text CHECK (colour ~ '^[0-9a-f]{6}$'),
  -- of the uploaded file
  bytes integer NOT NULL CHECK (bytes BETWEEN 1 AND 20971520),
  created_by uuid NOT NULL REFERENCES shop.user,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when the file was last sent
  uploaded_at timestamptz NOT NULL DEFAULT now() CHECK (uploaded_at >= created_at),
  -- when all its files were stored; null while they are not, and after an upload that was cut off
  stored_at timestamptz CHECK (stored_at >= created_at)
);
CREATE INDEX picture_uploaded_idx ON shop.picture (uploaded_at);

CREATE FUNCTION shop.remember_picture() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  picture shop.picture := CASE WHEN TG_OP = 'INSERT' THEN NEW ELSE OLD END;
  about jsonb := jsonb_build_object('width', picture.width, 'height', picture.height, 'bytes', picture.bytes);
BEGIN
  PERFORM shop.remember(CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'deleted' END, 'picture', picture.hash, NULL,
    CASE TG_OP WHEN 'DELETE' THEN about END, CASE TG_OP WHEN 'INSERT' THEN about END);
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER INSERT OR DELETE ON shop.picture
  FOR EACH ROW EXECUTE FUNCTION shop.remember_picture();
DO $$ BEGIN
  EXECUTE format(
    'ALTER TABLE shop.event DROP CONSTRAINT event_subject_check, ADD CONSTRAINT event_subject_check CHECK (subject = %L OR %s)',
    'picture', (SELECT substring(pg_get_constraintdef(oid) FROM '^CHECK (.*)$') FROM pg_constraint
      WHERE conrelid = 'shop.event'::regclass AND conname = 'event_subject_check'));
END $$;

-- All pictures of a product. The one at position 0 is the product's own `picture`, which lists show; a product whose
-- pictures were never edited, or whose `picture` was replaced since, has none at position 0.
CREATE TABLE shop.product_picture (
  product_id uuid NOT NULL REFERENCES shop.product,
  position integer NOT NULL CHECK (position BETWEEN 0 AND 11),
  picture text NOT NULL CHECK (picture ~ '^(https?://|/[^/\\])' AND length(picture) <= 2000),
  alt text NOT NULL CHECK (length(alt) BETWEEN 1 AND 200),
  PRIMARY KEY (product_id, position),
  UNIQUE (product_id, picture)
);

-- A form, an import or a bulk edit has replaced the product's own picture.
CREATE FUNCTION shop.replace_own_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM shop.product_picture
  WHERE product_id = NEW.id AND (position = 0) <> (picture = NEW.picture);
  RETURN NULL;
END $$;
CREATE TRIGGER replace_own_picture AFTER UPDATE OF picture ON shop.product
  FOR EACH ROW WHEN (OLD.picture <> NEW.picture) EXECUTE FUNCTION shop.replace_own_picture();

-- Replaces the pictures of a product on sale, given as an array of {picture, alt}. Returns its new version, or null
-- where it is not on sale or no longer of the version that was seen.
CREATE FUNCTION shop.save_product_pictures(given_id uuid, seen integer, given jsonb) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  before jsonb;
  after jsonb;
  saved integer;
BEGIN
  PERFORM FROM shop.product WHERE id = given_id AND version = seen AND archived_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT jsonb_agg(jsonb_build_object('name', alt, 'value', picture) ORDER BY position) INTO before
  FROM shop.product_picture WHERE product_id = given_id;
  DELETE FROM shop.product_picture WHERE product_id = given_id;
  UPDATE shop.product SET picture = given->0->>'picture', version = version + 1 WHERE id = given_id
  RETURNING version INTO saved;
  INSERT INTO shop.product_picture (product_id, position, picture, alt)
  SELECT given_id, place - 1, one->>'picture', one->>'alt'
  FROM jsonb_array_elements(given) WITH ORDINALITY AS element (one, place);
  SELECT jsonb_agg(jsonb_build_object('name', alt, 'value', picture) ORDER BY position) INTO after
  FROM shop.product_picture WHERE product_id = given_id;
  IF before IS DISTINCT FROM after THEN
    PERFORM shop.remember('pictures edited', 'product', given_id::text, NULL,
      jsonb_build_object('pictures', before), jsonb_build_object('pictures', after));
  END IF;
  RETURN saved;
END $$;
