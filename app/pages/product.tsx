import { data } from "react-router";
import { storefront } from "../context.ts";
import { requirePerson } from "../guard.ts";
import { pageTitle } from "../page-title.ts";
import { Plate } from "../ui/picture.tsx";
import type { Route } from "./+types/product";

export const clientMiddleware = [requirePerson];

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageTitle(loaderData?.product.name ?? "Tool", loaderData?.product.description);

export async function loader({ context, params }: Route.LoaderArgs) {
  const product = await context.get(storefront).findProduct(params.id);
  if (!product) throw data(null, { status: 404 });
  return { product };
}

export default function ProductPage({ loaderData: { product } }: Route.ComponentProps) {
  return (
    <main id="main" className="sheet pdp">
      <Plate
        ticks
        src={product.picture}
        alt={`${product.name}, side view`}
        itemNumber={product.itemNumber}
        eager
      />
      <h1 className="t-h1">{product.name}</h1>
      <p className="pdp__desc">{product.description}</p>
    </main>
  );
}
