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
