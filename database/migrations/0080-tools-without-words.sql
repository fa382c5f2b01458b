-- A tool whose texts have no letter and no digit, such as one named "🔧", had no entry: it was on sale, but neither in the
-- catalogue nor found by its item number. Its only word is an empty one, which nobody can type.
CREATE OR REPLACE VIEW shop.catalogue_source AS
SELECT id, name, shop.item_key(item_number) AS item_key, category, price_cents, minimum_order,
  shop.power_kind(power_source) AS power, shop.power_voltage(power_source) AS voltage,
  width_bucket(price_cents, ARRAY[5000, 10000, 20000, 40000, 80000]::bigint[])::smallint AS price_band,
  width_bucket(minimum_order, ARRAY[6, 11, 21, 51])::smallint AS minimum_band,
  shop.stock_band(quantity, minimum_order) AS stock_band,
  shop.index_words(concat_ws(' ; ', name, category)) AS name_words,
  coalesce(nullif(shop.index_words(concat_ws(' ; ', name, category, key_fact, power_source, (
    SELECT string_agg(concat_ws(' ; ', fact ->> 'name', fact ->> 'value'), ' ; ')
    FROM jsonb_array_elements(technical_data) AS fact
  ))), '{}'), '{""}') AS all_words
FROM shop.product WHERE archived_at IS NULL;

SELECT shop.renew_entries(array_agg(id ORDER BY id)) FROM shop.product
WHERE archived_at IS NULL AND NOT EXISTS (SELECT FROM shop.catalogue_entry WHERE product_id = id)
HAVING count(*) > 0;
