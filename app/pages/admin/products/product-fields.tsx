import { useEffect, useState } from "react";
import { TextArea, TextField } from "../../../components/field.tsx";
import { counted } from "../../../components/format.ts";
import { MoreProductFields } from "./more-product-fields.tsx";
import { PictureDrop } from "./picture-drop.tsx";
import { PriceBreakFields } from "./price-break-fields.tsx";
import type { ProductForm } from "./use-product-form.ts";

interface ProductFieldsProps {
  form: ProductForm;
  /** shown below the quantity: the effect of a change */
  stockHint?: string | undefined;
  /** whether a picture can be uploaded here */
  canUpload?: boolean;
}

/** The required fields of the specification, section 5, then the optional ones. */
export function ProductFields({ form, stockHint, canUpload = false }: ProductFieldsProps) {
  const pictureError = usePictureError(form.draft.picture);
  return (
    <>
      <TextField label="Name" {...form.field("name")} />
      <div className="two">
        <TextField label="Price" note="US dollars" inputMode="decimal" {...form.field("price")} />
        <TextField
          label="Quantity"
          note="Pieces in stock"
          inputMode="numeric"
          hint={stockHint}
          {...form.field("quantity")}
        />
      </div>
      <div className="two">
        <TextField label="Minimum order" note="Pieces" inputMode="numeric" {...form.field("minimum_order")} />
        <TextField
          label="Sold in multiples of"
          note="Pieces"
          inputMode="numeric"
          {...form.field("order_multiple")}
        />
      </div>
      <PriceBreakFields form={form} legend="Price breaks (from, price)" />
      <div className="counted">
        <TextArea
          label="Description"
          note="Cards show the first 150 characters"
          {...form.field("description")}
        />
        <p className="counted__n">{counted(Array.from(form.draft.description).length, "character")}</p>
      </div>
      <TextField
        label="Picture"
        note="Image address"
        spellCheck={false}
        placeholder="https://… or /tools/angle-grinder.svg"
        hint={pictureError}
        {...form.field("picture")}
      />
      {canUpload && (
        <PictureDrop
          label="File to upload"
          pending={form.uploads}
          onUploaded={(url) => form.change("picture", url)}
        />
      )}
      <MoreProductFields form={form} />
    </>
  );
}

const DEBOUNCE_MS = 500;

/** Loads a picture's URL after a pause in typing; returns a message if that fails. */
function usePictureError(url: string): string | undefined {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!/^(https?:\/\/.|\/[^/\\])/.test(url)) return;
    const image = new Image();
    const timer = setTimeout(() => {
      image.onerror = () => setFailedUrl(url);
      image.src = url;
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      image.onerror = null;
    };
  }, [url]);
  if (!url || failedUrl !== url) return undefined;
  const advice = url.startsWith("http:") ? "Try https." : "Buyers would see a placeholder.";
  return `This picture cannot be loaded. ${advice}`;
}
