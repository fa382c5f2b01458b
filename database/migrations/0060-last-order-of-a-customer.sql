-- The newest order is the one with the highest id. Of orders placed at once, it need not have the line with the highest
-- id, which was taken for it when an order was cancelled.

CREATE OR REPLACE FUNCTION shop.count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched uuid[];
BEGIN
  UPDATE shop.customer SET revenue_cents = revenue_cents + change.cents
  FROM (
    SELECT user_id, sum(cents) AS cents FROM (
      SELECT user_id, total_cents - refunded_cents AS cents FROM changed WHERE status <> 'unpaid'
      UNION ALL SELECT user_id, refunded_cents - total_cents FROM previous WHERE status <> 'unpaid'
    ) AS revenue GROUP BY user_id HAVING sum(cents) <> 0
  ) AS change
  WHERE customer.user_id = change.user_id;
  SELECT array_agg(DISTINCT changed.order_id) INTO touched FROM changed JOIN previous USING (id)
  WHERE changed.cancelled_at IS NOT NULL AND previous.cancelled_at IS NULL;
  IF touched IS NOT NULL THEN
    -- of two statements that cancel the last lines of an order at once, the second sees what the first has cancelled
    PERFORM FROM shop.customer WHERE user_id IN (SELECT user_id FROM changed) ORDER BY user_id FOR NO KEY UPDATE;
    UPDATE shop.customer SET orders = orders - gone.count, last_order_id = coalesce(
      (SELECT id FROM shop.order o WHERE o.user_id = gone.user_id AND EXISTS (
        SELECT FROM shop.purchase WHERE order_id = o.id AND cancelled_at IS NULL) ORDER BY id DESC LIMIT 1),
      '00000000-0000-0000-0000-000000000000')
    FROM (
      SELECT user_id, count(*) FROM shop.order o
      WHERE id = ANY (touched) AND NOT EXISTS (
        SELECT FROM shop.purchase WHERE order_id = o.id AND cancelled_at IS NULL
      ) GROUP BY user_id
    ) AS gone
    WHERE customer.user_id = gone.user_id;
  END IF;
  RETURN NULL;
END $$;

UPDATE shop.customer SET last_order_id = newest.id
FROM (
  SELECT user_id, (array_agg(order_id ORDER BY order_id DESC))[1] AS id FROM shop.purchase
  WHERE cancelled_at IS NULL GROUP BY user_id
) AS newest
WHERE customer.user_id = newest.user_id AND last_order_id <> newest.id;
