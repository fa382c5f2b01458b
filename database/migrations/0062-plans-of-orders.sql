-- The plans of placing and of invoicing do not depend on the parameters, so they are made once per connection. Without
-- this, PostgreSQL plans some of their statements again at every call, because it takes an array for ten elements.
ALTER FUNCTION shop.place_order(jsonb, bigint, bigint) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION shop.issue_invoices(uuid[]) SET plan_cache_mode = force_generic_plan;
