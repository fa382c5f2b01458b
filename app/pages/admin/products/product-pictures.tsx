import { type RefObject, useRef, useState } from "react";
import type { Input } from "../../../../api/contract.ts";
import type { Product } from "../../../../api/entities.ts";
import { MAX_PICTURES } from "../../../../shop/pictures/urls.ts";
import { pictureMessages } from "../../../../shop/texts/picture-messages.ts";
import { ActionButton } from "../../../components/action-button.tsx";
import { atMost } from "../../../components/at-most.ts";
import { IconButton } from "../../../components/button.tsx";
import { FormError, TextField } from "../../../components/field.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Plate } from "../../../components/picture.tsx";
import { toast } from "../../../components/toast.ts";
import { isDecided } from "../../../data/api-client.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { PictureDrop } from "./picture-drop.tsx";

const MAX_ALT_LENGTH = 200;
const altTooLong = atMost(MAX_ALT_LENGTH);
const altProblem = (alt: string) => (alt.trim() ? altTooLong(alt) : pictureMessages.altRequired);

const tooMany = (left: number) =>
  `${pictureMessages.tooManyPictures(MAX_PICTURES)} Choose at most ${left} more.`;

type Pictures = NonNullable<Product["pictures"]>;

type PicturesForm = Input<"saveProductPictures">["body"];

/** All pictures of a product, as saved. */
export const picturesOf = ({ pictures, picture, name }: Product): Pictures =>
  pictures ?? [{ url: picture, alt: name }];

interface ProductPicturesProps {
  product: Product;
  pictures: Pictures;
  /** the number of files that are being uploaded */
  uploads: RefObject<number>;
  onChange: (update: (pictures: Pictures) => Pictures) => void;
  onSaved: (product: Product) => void;
  /** another admin has changed the product meanwhile */
  onConflict: (present: Product) => void;
}

/** The pictures of a product in order, with alternative texts; the first is shown in lists. */
export function ProductPictures(props: ProductPicturesProps) {
  const { product, pictures, uploads, onChange, onSaved, onConflict } = props;
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [announcement, setAnnouncement] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const callOnce = useCallOnce();
  const latest = useRef(pictures);
  latest.current = pictures;
  /** what may have been saved although its response was lost */
  const [undecided, setUndecided] = useState<PicturesForm | null>(null);
  const isDirty = JSON.stringify(pictures) !== JSON.stringify(picturesOf(product));
  const isFull = pictures.length >= MAX_PICTURES;

  function move(from: number, to: number) {
    if (to < 0 || to >= pictures.length) return;
    // an element that is moved in the document loses the focus
    const focused = document.activeElement as HTMLElement | null;
    setTimeout(() => focused?.focus());
    onChange((current) => {
      const picture = current[from];
      return picture ? current.toSpliced(from, 1).toSpliced(to, 0, picture) : current;
    });
    setAnnouncement(`Picture ${from + 1} is now picture ${to + 1}.`);
  }

  function remove(index: number) {
    const removed = pictures[index];
    onChange((current) => current.toSpliced(index, 1));
    const next = Math.min(index, pictures.length - 2);
    setTimeout(() => list.current?.querySelectorAll("input")[next]?.focus());
    toast.undo(`Picture ${index + 1} is removed.`, {
      label: "Undo",
      onPress: () =>
        onChange((current) =>
          !removed || current.some(({ url }) => url === removed.url)
            ? current
            : current.toSpliced(index, 0, removed),
        ),
    });
  }

  function add(url: string, fileName: string) {
    if (latest.current.some((picture) => picture.url === url))
      return toast.info(`${fileName}: ${pictureMessages.samePicture}`);
    const alt = fileName
      .replace(/\.\w+$/, "")
      .replace(/[-_]+/g, " ")
      .slice(0, MAX_ALT_LENGTH)
      .replace(/[\uD800-\uDBFF]$/, "");
    onChange((current) =>
      current.length >= MAX_PICTURES || current.some((picture) => picture.url === url)
        ? current
        : [...current, { url, alt }],
    );
  }

  async function send(body: PicturesForm) {
    const outcome = await callOnce("saveProductPictures", { params: { id: product._id }, body });
    setUndecided(isDecided(outcome) ? null : body);
    return outcome;
  }

  async function save() {
    setIsSubmitted(true);
    setRefusal(undefined);
    if (pictures.some(({ alt }) => altProblem(alt))) return;
    // a save without a response is repeated first: a later change that reverts it would look like no change
    const first = undecided ?? { version: product.version ?? 1, pictures };
    let outcome = await send(first);
    if (outcome.ok && first.pictures !== pictures)
      outcome = await send({ version: outcome.data.version ?? 1, pictures });
    if (outcome.ok) {
      toast.success("The pictures are saved");
      setIsSubmitted(false);
      return onSaved(outcome.data);
    }
    setRefusal(outcome.detail);
    const present = outcome.present as Product | undefined;
    if (present) onConflict(present);
  }

  return (
    <Panel
      flush
      className="product-pictures"
      title="Pictures"
      aside={<small className="soft">The first is the one in lists</small>}
    >
      <ul className="pics" ref={list}>
        {pictures.map(({ url, alt }, index) => {
          const label = `picture ${index + 1}`;
          return (
            <li key={url}>
              <Plate src={url} alt={alt || `Picture ${index + 1}`} />
              <div className="pics__ft">
                <div className="pics__row">
                  <b>
                    {index + 1}
                    {index === 0 && <span className="pics__first">First</span>}
                  </b>
                  <span>
                    <IconButton
                      icon="left"
                      label={`Move ${label} forward`}
                      aria-disabled={index === 0 || undefined}
                      onClick={() => move(index, index - 1)}
                    />
                    <IconButton
                      icon="right"
                      label={`Move ${label} back`}
                      aria-disabled={index === pictures.length - 1 || undefined}
                      onClick={() => move(index, index + 1)}
                    />
                    <IconButton
                      icon="remove"
                      label={`Remove ${label}`}
                      disabled={pictures.length === 1}
                      onClick={() => remove(index)}
                    />
                  </span>
                </div>
                <TextField
                  label={<span className="vh">{`Description of ${label}`}</span>}
                  placeholder="Description"
                  autoComplete="off"
                  value={alt}
                  error={isSubmitted || alt.trim() ? altProblem(alt) : undefined}
                  onChange={({ target }) =>
                    onChange((current) => current.with(index, { url, alt: target.value }))
                  }
                  onKeyDown={(event) => {
                    if (!event.altKey) return;
                    if (event.key === "ArrowLeft") move(index, index - 1);
                    else if (event.key === "ArrowRight") move(index, index + 1);
                    else return;
                    event.preventDefault();
                  }}
                />
              </div>
            </li>
          );
        })}
      </ul>
      <div className="pics__end">
        {isFull ? (
          <p className="soft">{pictureMessages.tooManyPictures(MAX_PICTURES)}</p>
        ) : (
          <PictureDrop
            label="Files to upload"
            room={{ left: MAX_PICTURES - pictures.length, exceeded: tooMany }}
            pending={uploads}
            onUploaded={add}
          />
        )}
        <FormError>{refusal}</FormError>
        <ActionButton look="ink" disabled={!isDirty && !undecided} onClick={save}>
          Update pictures
        </ActionButton>
      </div>
      <span className="vh" role="status">
        {announcement}
      </span>
    </Panel>
  );
}
