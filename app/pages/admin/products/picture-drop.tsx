import { type RefObject, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { DimensionBar } from "../../../components/dimension-bar.tsx";
import { FieldError } from "../../../components/field.tsx";
import { counted } from "../../../components/format.ts";
import { ONE_FILE } from "../../../components/one-file.ts";
import { useFileDrop } from "../../../components/use-file-drop.ts";
import { useListener } from "../../../components/use-listener.ts";
import { sendPicture } from "./send-picture.ts";
import "../../../styles/pictures.css";

interface PictureDropProps {
  label: string;
  /** of a list of pictures: how many more it can have, and the message for more files; otherwise one */
  room?: { left: number; exceeded: (left: number) => string };
  /** counts the files that are being uploaded, for the prompt on leaving */
  pending: RefObject<number>;
  /** the URL of an uploaded picture, and the name of its file */
  onUploaded: (url: string, name: string) => void;
}

interface Upload {
  id: number;
  name: string;
  progress: number;
  failure?: string;
}

const TYPES = "image/jpeg,image/png,image/webp,image/avif,image/gif";

/** Uploads pictures that are dropped, pasted anywhere on the page, or chosen, with progress. */
export function PictureDrop({ label, room, pending, onUploaded }: PictureDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const nextId = useRef(0);
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const multiple = room !== undefined;
  const drop = useFileDrop((files) => void uploadAll(files));

  async function upload(file: File) {
    const id = nextId.current++;
    const { name } = file;
    const update = (values: Partial<Upload>) =>
      setUploads((current) => current.map((item) => (item.id === id ? { ...item, ...values } : item)));
    setUploads((current) => [...current, { id, name, progress: 0 }]);
    const outcome = await sendPicture(file, (progress) => update({ progress }));
    if (!outcome.ok) return update({ failure: outcome.detail });
    setUploads((current) => current.filter((item) => item.id !== id));
    setAnnouncement(`${name} is uploaded.`);
    onUploaded(outcome.data.url, name);
  }

  async function uploadAll(files: Iterable<File> | null | undefined) {
    const all = [...(files ?? [])];
    if (input.current) input.current.value = "";
    // removes the failures of earlier files
    setUploads((current) => current.filter(({ failure }) => !failure));
    const left = room ? Math.max(0, room.left - pending.current) : 1;
    if (all.length > left) {
      const failure = room ? room.exceeded(left) : ONE_FILE;
      const refused = { id: nextId.current++, name: counted(all.length, "file"), progress: 0, failure };
      return setUploads((current) => [...current, refused]);
    }
    pending.current += all.length;
    for (const file of all) {
      await upload(file);
      pending.current -= 1;
    }
  }

  useListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    // of cells, a spreadsheet also copies a picture
    const isText = isTextField(event.target) && event.clipboardData?.types.includes("text/plain");
    if (files.length === 0 || isText) return;
    event.preventDefault();
    void uploadAll(files);
  });

  return (
    <div className="picture-drop" {...drop}>
      <p>
        <b>Drop or paste {multiple ? "pictures" : "a picture"}</b>
        <small>JPEG, PNG, WebP, AVIF or GIF, up to 20 MB</small>
      </p>
      <input
        ref={input}
        type="file"
        accept={TYPES}
        multiple={multiple}
        className="vh"
        tabIndex={-1}
        aria-label={label}
        onChange={({ target }) => void uploadAll(target.files)}
      />
      <Button size="sm" onClick={() => input.current?.click()}>
        {multiple ? "Choose files" : "Choose file"}
      </Button>
      {uploads.map(({ id, name, progress, failure }) => (
        <div key={id} className="picture-drop__file">
          <span className="clamp" title={name}>
            {name}
          </span>
          {failure ? (
            <FieldError>{failure}</FieldError>
          ) : (
            <>
              <DimensionBar
                part={Math.round(100 * progress)}
                whole={100}
                label={`${Math.round(100 * progress)}% sent`}
              />
              <small>{progress < 1 ? `${Math.round(100 * progress)}%` : "Checking"}</small>
            </>
          )}
        </div>
      ))}
      <span className="vh" role="status">
        {announcement}
      </span>
    </div>
  );
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
