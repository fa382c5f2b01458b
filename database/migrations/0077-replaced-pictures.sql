-- When a form, an import or a bulk edit replaces a product's own picture, its row at position 0 stays. It is not shown
-- until an undo of the import, or another change, brings the picture back, with its alternative text.
DROP TRIGGER replace_own_picture ON shop.product;
DROP FUNCTION shop.replace_own_picture();

CREATE OR REPLACE FUNCTION shop.save_product_pictures(given_id uuid, seen integer, given jsonb) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  own text;
  before jsonb;
  after jsonb;
  saved integer;
BEGIN
  SELECT picture INTO own FROM shop.product
  WHERE id = given_id AND version = seen AND archived_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT jsonb_agg(jsonb_build_object('name', alt, 'value', picture) ORDER BY position) INTO before
  FROM shop.product_picture WHERE product_id = given_id AND (position > 0 OR picture = own);
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
