import type { MetaDescriptor } from "react-router";
import type { Product } from "../../api/entities.ts";

/** A tool for search engines, as schema.org JSON-LD. `publicUrl` has no closing slash. */
export function productData(product: Product, publicUrl: string): MetaDescriptor {
  const url = `${publicUrl}/product/${product._id}`;
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "Product",
      name: product.name,
      description: product.description,
      image: new URL(product.picture, publicUrl).href,
      url,
      brand: { "@type": "Brand", name: "Stator" },
      ...(product.itemNumber && { sku: product.itemNumber }),
      ...(product.category && { category: product.category }),
      offers: {
        "@type": "Offer",
        url,
        price: product.price.toFixed(2),
        priceCurrency: "USD",
        availability: `https://schema.org/${product.quantity >= product.minimum_order ? "InStock" : "OutOfStock"}`,
        eligibleQuantity: { "@type": "QuantitativeValue", minValue: product.minimum_order },
      },
    },
  };
}
