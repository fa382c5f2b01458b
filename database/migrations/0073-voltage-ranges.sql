-- A power source may be a range, such as "Mains 220..240 V", which is no number: adding the tool failed. Its voltage is
-- the last number. In some collations \d is also a digit of another script, which is none for a cast. Every other
-- voltage stays the same, and so does the index on this function.
CREATE OR REPLACE FUNCTION shop.power_voltage(power_source text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(power_source, '(?:^|[^0-9.]|\.\.+)([0-9]+\.?[0-9]*|(?<!\.)\.[0-9]+)\s*V\M')::numeric;

CREATE OR REPLACE VIEW shop.catalogue_source AS
SELECT id, name, shop.item_key(item_number) AS item_key, category, price_cents, minimum_order,
  shop.power_kind(power_source) AS power, shop.power_voltage(power_source) AS voltage,
  width_bucket(price_cents, ARRAY[5000, 10000, 20000, 40000, 80000]::bigint[])::smallint AS price_band,
  width_bucket(minimum_order, ARRAY[6, 11, 21, 51])::smallint AS minimum_band,
  shop.stock_band(quantity, minimum_order) AS stock_band,
  shop.index_words(concat_ws(' ; ', name, category)) AS name_words,
  shop.index_words(concat_ws(' ; ', name, category, key_fact, power_source, (
    SELECT string_agg(concat_ws(' ; ', fact ->> 'name', fact ->> 'value'), ' ; ')
    FROM jsonb_array_elements(technical_data) AS fact
  ))) AS all_words
FROM shop.product WHERE archived_at IS NULL;
