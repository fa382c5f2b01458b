-- The payment provider's refunds are compared payment by payment. There are few refunds, so writes wait only for
-- milliseconds while the index is built.
CREATE INDEX refund_payment_idx ON shop.refund (payment_id);
