-- Words that mean the same to a buyer: a search for one of the two also finds the other. Admins edit the list.

-- The words of a text without anything between them: "Multi-tool", "multi tool" and "multitool" are one.
CREATE FUNCTION shop.joined_words(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT coalesce(string_agg(word, '' ORDER BY place), '')
  FROM unnest(shop.words_of(given)) WITH ORDINALITY AS word (word, place)
);

CREATE TABLE shop.synonym (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  term text NOT NULL CHECK (length(term) BETWEEN 1 AND 60),
  same_as text NOT NULL CHECK (length(same_as) BETWEEN 1 AND 60),
  term_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (shop.joined_words(term)) STORED,
  same_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (shop.joined_words(same_as)) STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT synonym_words_check CHECK (term_key <> '' AND same_key <> '' AND term_key <> same_key)
);
CREATE UNIQUE INDEX synonym_pair_key ON shop.synonym (least(term_key, same_key), greatest(term_key, same_key));
CREATE INDEX synonym_term_idx ON shop.synonym (term_key);
CREATE INDEX synonym_same_idx ON shop.synonym (same_key);

-- Both directions of every pair.
CREATE VIEW shop.synonym_meaning AS
SELECT term_key AS key, same_as AS meaning FROM shop.synonym
UNION ALL SELECT same_key, term FROM shop.synonym;

-- Every process drops its cached answers, as for a change of a product.
CREATE TRIGGER synonym_tell AFTER INSERT OR UPDATE OR DELETE ON shop.synonym
  FOR EACH STATEMENT EXECUTE FUNCTION shop.tell_change();

INSERT INTO shop.synonym (term, same_as) VALUES
  ('cordless', 'battery'), ('rechargeable', 'battery'), ('battery powered', 'battery'), ('battery operated', 'battery'),
  ('accu', 'battery'), ('corded', 'mains'), ('wired', 'mains'), ('plug in', 'mains'), ('electric', 'mains'),
  ('Li-ion', 'lithium-ion'),
  ('screw gun', 'screwdriver'), ('screw gun', 'drill driver'), ('power screwdriver', 'screwdriver'),
  ('cordless drill', 'drill driver'), ('battery drill', 'drill driver'), ('power drill', 'drill driver'),
  ('driver drill', 'drill driver'), ('drill gun', 'drill driver'),
  ('SDS drill', 'rotary hammer'), ('SDS', 'rotary hammer'), ('SDS hammer', 'rotary hammer'),
  ('rotohammer', 'rotary hammer'), ('hammer drill SDS', 'rotary hammer'), ('perforator', 'rotary hammer'),
  ('masonry drill', 'rotary hammer'), ('masonry drill', 'hammer drill'), ('concrete drill', 'rotary hammer'),
  ('concrete drill', 'hammer drill'), ('percussion drill', 'hammer drill'), ('combi drill', 'hammer drill'),
  ('impact drill', 'hammer drill'), ('impact gun', 'impact wrench'), ('impact gun', 'impact driver'),
  ('wheel gun', 'impact wrench'), ('rattle gun', 'impact wrench'), ('wheel nut gun', 'impact wrench'),
  ('nut runner', 'impact wrench'), ('torque wrench', 'impact wrench'), ('air wrench', 'impact wrench'),
  ('jackhammer', 'demolition hammer'), ('breaker', 'demolition hammer'), ('concrete breaker', 'demolition hammer'),
  ('kango', 'demolition hammer'), ('demo hammer', 'demolition hammer'), ('chipping hammer', 'demolition hammer'),
  ('road breaker', 'demolition hammer'), ('nailer', 'nail gun'), ('brad nailer', 'nail gun'),
  ('finish nailer', 'nail gun'), ('pin nailer', 'nail gun'), ('framing nailer', 'nail gun'),
  ('brad gun', 'nail gun'),
  ('skilsaw', 'circular saw'), ('skillsaw', 'circular saw'), ('circ saw', 'circular saw'),
  ('circle saw', 'circular saw'), ('rip saw', 'circular saw'), ('plunge saw', 'circular saw'),
  ('track saw', 'circular saw'), ('hand circular saw', 'circular saw'),
  ('sawzall', 'reciprocating saw'), ('sawsall', 'reciprocating saw'), ('recip saw', 'reciprocating saw'),
  ('sabre saw', 'reciprocating saw'), ('saber saw', 'reciprocating saw'), ('tiger saw', 'reciprocating saw'),
  ('demolition saw', 'reciprocating saw'), ('recipro saw', 'reciprocating saw'), ('pipe saw', 'reciprocating saw'),
  ('scroll saw', 'jigsaw'), ('bayonet saw', 'jigsaw'), ('fretsaw', 'jigsaw'), ('curve saw', 'jigsaw'),
  ('miter', 'mitre'), ('chop saw', 'mitre saw'), ('drop saw', 'mitre saw'), ('cut off saw', 'mitre saw'),
  ('compound saw', 'mitre saw'), ('bench saw', 'table saw'), ('saw bench', 'table saw'), ('site saw', 'table saw'),
  ('tile cutter', 'tile saw'), ('tile cutter', 'wet saw'), ('tiling saw', 'tile saw'), ('stone saw', 'tile saw'),
  ('tile machine', 'tile saw'), ('tree saw', 'chainsaw'), ('log saw', 'chainsaw'),
  ('disc grinder', 'angle grinder'), ('disk grinder', 'angle grinder'), ('side grinder', 'angle grinder'),
  ('metal grinder', 'angle grinder'), ('cut off grinder', 'angle grinder'), ('flex', 'angle grinder'),
  ('cutting grinder', 'angle grinder'), ('mini grinder', 'angle grinder'), ('pedestal grinder', 'bench grinder'),
  ('wheel grinder', 'bench grinder'), ('tool sharpener', 'bench grinder'), ('double grinder', 'bench grinder'),
  ('multimaster', 'multi-tool'), ('oscillating tool', 'multi-tool'), ('oscillating saw', 'multi-tool'),
  ('oscillator', 'multi-tool'), ('multi cutter', 'multi-tool'), ('multifunction tool', 'multi-tool'),
  ('orbital sander', 'random orbit sander'), ('random orbital sander', 'random orbit sander'),
  ('eccentric sander', 'random orbit sander'), ('ROS', 'random orbit sander'), ('DA sander', 'random orbit sander'),
  ('palm sander', 'random orbit sander'), ('disc sander', 'random orbit sander'), ('sanding machine', 'sander'),
  ('linisher', 'belt sander'), ('band sander', 'belt sander'), ('plane', 'planer'), ('hand plane', 'planer'),
  ('thicknesser', 'planer'), ('buffer', 'polisher'), ('buffing machine', 'polisher'), ('car polisher', 'polisher'),
  ('polishing machine', 'polisher'), ('router', 'plunge router'), ('trimmer', 'router'), ('trim router', 'router'),
  ('wood router', 'router'), ('milling', 'routing'), ('vacuum', 'dust extractor'), ('vac', 'dust extractor'),
  ('hoover', 'dust extractor'), ('shop vac', 'dust extractor'), ('wet and dry vac', 'dust extractor'),
  ('vacuum cleaner', 'dust extractor'), ('dust collector', 'dust extractor'), ('extraction unit', 'dust extractor'),
  ('power pack', 'battery pack'), ('battery charger', 'charger'), ('accumulator', 'battery pack'),
  ('soldering iron', 'soldering station'), ('solder gun', 'soldering station'), ('solder', 'soldering'),
  ('hot air gun', 'heat gun'), ('heat blower', 'heat gun'), ('paint stripper', 'heat gun'),
  ('hot air blower', 'heat gun'), ('heater gun', 'heat gun'), ('site light', 'work light'),
  ('floodlight', 'work light'), ('flood lamp', 'work light'), ('lamp', 'light'), ('torch', 'work light'),
  ('LED light', 'work light'), ('flashlight', 'work light'), ('leaf blower', 'blower'), ('air blower', 'blower'),
  ('dust blower', 'blower'), ('mortar mixer', 'paddle mixer'),
  ('plaster mixer', 'paddle mixer'), ('cement mixer', 'paddle mixer'), ('paint mixer', 'paddle mixer'),
  ('concrete mixer', 'paddle mixer'), ('mixing drill', 'paddle mixer'), ('stirrer', 'paddle mixer'),
  ('whisk', 'paddle mixer'), ('4 1/2 in', '115 mm'), ('4.5 in', '115 mm'), ('5 in', '125 mm'), ('6 in', '150 mm'),
  ('7 in', '180 mm'), ('7 1/4 in', '190 mm'), ('8 in', '200 mm'), ('9 in', '230 mm'), ('10 in', '254 mm'),
  ('carpentry', 'wood'), ('timber', 'wood')
ON CONFLICT DO NOTHING;

CREATE FUNCTION shop.remember_synonym() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.remember(CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'deleted' END, 'synonym',
    coalesce(NEW.id, OLD.id)::text, NULL,
    CASE WHEN OLD.id IS NOT NULL THEN jsonb_build_object('term', OLD.term, 'same_as', OLD.same_as) END,
    CASE WHEN NEW.id IS NOT NULL THEN jsonb_build_object('term', NEW.term, 'same_as', NEW.same_as) END);
  RETURN NULL;
END $$;
ALTER TABLE shop.event DROP CONSTRAINT event_subject_check,
  ADD CHECK (subject IN ('purchase', 'product', 'payment', 'refund', 'user', 'synonym'));
CREATE TRIGGER remember AFTER INSERT OR DELETE ON shop.synonym
  FOR EACH ROW EXECUTE FUNCTION shop.remember_synonym();

-- Who wants one email when a tool can be ordered again: an account, or a visitor's address that its owner confirmed.
CREATE TABLE shop.stock_alert (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  product_id uuid NOT NULL REFERENCES shop.product,
  user_id uuid REFERENCES shop.user,
  email text CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  -- what the links in its emails carry; it confirms and ends alerts, and nothing else
  token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  notified_at timestamptz,
  CHECK ((user_id IS NULL) <> (email IS NULL)),
  CHECK (user_id IS NULL OR confirmed_at IS NOT NULL),
  CHECK (notified_at IS NULL OR confirmed_at IS NOT NULL)
);
CREATE UNIQUE INDEX stock_alert_user_key ON shop.stock_alert (product_id, user_id) WHERE notified_at IS NULL;
CREATE UNIQUE INDEX stock_alert_email_key ON shop.stock_alert (product_id, email) WHERE notified_at IS NULL;
CREATE INDEX stock_alert_user_idx ON shop.stock_alert (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX stock_alert_email_idx ON shop.stock_alert (email) WHERE email IS NOT NULL;
CREATE INDEX stock_alert_created_idx ON shop.stock_alert (created_at);

-- The emails are queued in the transaction that makes the tool orderable: neither lost nor sent for a rollback.
CREATE FUNCTION shop.product_orderable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  alert uuid;
BEGIN
  FOR alert IN
    UPDATE shop.stock_alert SET notified_at = now()
    WHERE product_id = NEW.id AND confirmed_at IS NOT NULL AND notified_at IS NULL
    RETURNING id
  LOOP
    PERFORM graphile_worker.add_job('send-mail', json_build_object('mail', 'backInStock', 'alertId', alert));
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER product_orderable AFTER UPDATE OF quantity, minimum_order ON shop.product FOR EACH ROW
  WHEN (OLD.quantity < OLD.minimum_order AND NEW.quantity >= NEW.minimum_order AND NEW.archived_at IS NULL)
  EXECUTE FUNCTION shop.product_orderable();
