/** What holds for all calls, for the API reference and openapi.json. */

export const rules: readonly (readonly [topic: string, text: string])[] = [
  [
    "Data",
    "JSON in UTF-8. Amounts are dollars, times are ISO 8601 in UTC. A member or query parameter that a call does not know is refused, since it may be misspelt; only public reads and the calls promised to scripts ignore it, such as POST /orders/{id}/shipments: check its trackingNumber in the response.",
  ],
  [
    "Access token",
    "Sent as `Authorization: Bearer …`, and valid for 15 minutes: after a 401, ask for another with `PUT /user/{email}`. That call needs the cookie of a session, which signing in sets.",
  ],
  [
    "Other origins",
    "Pages of other sites cannot make calls. A client that sends `Origin` has to send the URL of the store. Node's `fetch` needs it to sign in.",
  ],
  [
    "Refusals",
    "Problem JSON (RFC 9457): `detail` says why, `fields` what to correct, by the name of the member (`lines.0.quantity`; `body` is all of it). 422 is invalid input, 409 a state that does not allow the call, and 404 an id that does not exist.",
  ],
  [
    "Retries",
    "A write with an `Idempotency-Key` of your choice (1 to 255 letters, digits or symbols, and no spaces) has its effect once: for 24 hours, the same key with the same input gets the first response, also a refusal. Another input gets 422, and 409 with `Retry-After` says that the first request is still running. After a lost response or a 503, send the request again with its key.",
  ],
  [
    "Limits",
    "429 and 503 say in `Retry-After` how many seconds to wait. An IP address may send 6,000 requests in a minute, and a user may place 120 orders in a minute (300 in an hour while the email of the account is not confirmed).",
  ],
  [
    "Lists",
    'Up to `limit` items. The next page is at the `Link` with `rel="next"`, or where the response has `next`, at this `cursor`. Nothing is missed or repeated when items are added meanwhile.',
  ],
  ["Caching", "Public calls have an `ETag`; with `If-None-Match` an unchanged response is 304."],
];

/** Run by test/http/documents.test.ts. */
export const firstOrder = (store: string) => `STORE=${store} EMAIL=ada@example.com PASSWORD='a good password'

# register, or sign in: /api/auth/sign-in/email, without the name
curl -c session $STORE/api/auth/sign-up/email --json '{"name": "Ada", "email": "'$EMAIL'", "password": "'"$PASSWORD"'"}'
TOKEN=$(curl -b session -X PUT $STORE/user/$EMAIL | jq -r .token)

# the minimum order of the first tool; the key is your own number of the order
ORDER=$(curl "$STORE/products?limit=1" |
  jq '{address: "Unit 6, Canal Yard", lines: [.[0] | {productId: ._id, quantity: .minimum_order}]}' |
  curl $STORE/orders -H "Authorization: Bearer $TOKEN" -H 'Idempotency-Key: PO-4711' --json @-)

# a card payment of the amount due
SECRET=$(echo "$ORDER" | jq '{orderId: ._id, total: .due}' |
  curl $STORE/create-payment-intent -H "Authorization: Bearer $TOKEN" --json @- | jq -r .clientSecret)
PAYMENT=\${SECRET%_secret_*}

# at the card provider: without Stripe keys at the sandbox, otherwise at https://api.stripe.com with -u pk_…:
curl $STORE/sandbox/stripe/v1/payment_intents/$PAYMENT/confirm -d client_secret=$SECRET -d payment_method=pm_card_visa

# the order is paid; without this call, a little later
curl -X PATCH $STORE/payment/$(echo "$ORDER" | jq -r ._id) -H "Authorization: Bearer $TOKEN" --json '{"transactionId": "'$PAYMENT'"}'
curl $STORE/orders/$(echo "$ORDER" | jq -r .number) -H "Authorization: Bearer $TOKEN"`;

/** Run by test/http/documents.test.ts. */
export const fulfilment = (store: string) => `STORE=${store} EMAIL=erp@example.com PASSWORD='a good password'

# once: a session of an admin ends after 12 hours without use, and in any case after 30 days
curl -b session -c session $STORE/api/auth/sign-in/email \\
  --json '{"email": "'$EMAIL'", "password": "'"$PASSWORD"'"}'
# every ten minutes; after a 401 sign in again
AUTH="Authorization: Bearer $(curl -b session -c session -X PUT $STORE/user/$EMAIL | jq -r .token)"

# what is to be shipped, the longest paid first; found again until it is shipped or refunded
LINES=$(curl "$STORE/purchases?status=paid&sort=waiting&limit=100" -H "$AUTH")
echo "$LINES" | jq '.orders[] | {_id, orderNumber, poNumber, itemNumber, purchaseQuantity}'
# the next page, if there is one: add &cursor=
echo "$LINES" | jq -r '.next // empty'

# ships all that is left of an order; the key is your own number of the delivery
NUMBER=$(echo "$LINES" | jq '.orders[0].orderNumber')
curl $STORE/orders/$NUMBER -H "$AUTH" |
  jq '{carrier: "UPS", trackingNumber: "1Z-4711", trackingUrl: "https://ups.example/1Z-4711",
    lines: [.lines[] | select(.status == "paid") |
      {purchaseId: ._id, quantity: (.purchaseQuantity - (.shippedPieces // 0))}]}' |
  curl $STORE/orders/$NUMBER/shipments -H "$AUTH" -H 'Idempotency-Key: DN-4711' --json @-

# goods received: added to the stock, whatever is sold meanwhile
# (to remove pieces: "kind": "correct", negative pieces, and a reason)
ITEM=$(curl "$STORE/admin/products?q=DD+18-60" -H "$AUTH" | jq -r '.products[0]._id')
curl $STORE/admin/products/$ITEM/stock -H "$AUTH" -H 'Idempotency-Key: GR-4711' \\
  --json '{"kind": "receive", "pieces": 100, "reason": "GR-4711"}'

# prices: an import within an hour after signing in. It changes only the columns that it has;
# with quantity it sets the stock, and returns to it what was sold since the file was written
printf 'item_number,price\\nDD 18-60,129.00\\n' |
  curl $STORE/admin/products/import -H "$AUTH" -H 'Idempotency-Key: PRICES-4711' \\
    -F 'file=@-;filename=prices.csv'`;
