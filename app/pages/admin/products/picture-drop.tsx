import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { DimensionBar } from "../../../components/dimension-bar.tsx";
import { FieldError } from "../../../components/field.tsx";
import { useFileDrop } from "../../../components/use-file-drop.ts";
import { sendPicture } from "./send-picture.ts";
import "../../../styles/pictures.css";

interface PictureDropProps {
  label: string;
  multiple?: boolean;
  /** the address of an uploaded picture, and the name of its file */
  onSent: (url: string, name: string) => void;
}

interface Upload {
  id: number;
  name: string;
  part: number;
  failure?: string;
}

const TYPES = "image/jpeg,image/png,image/webp,image/avif,image/gif";

/** Uploads pictures that are dropped, pasted anywhere on the page, or chosen, with progress. */
export function PictureDrop({ label, multiple = false, onSent }: PictureDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const count = useRef(0);
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const drop = useFileDrop((files) => void sendAll(files));

  async function send(file: File) {
    const id = count.current++;
    const { name } = file;
    const change = (values: Partial<Upload>) =>
      setUploads((now) => now.map((one) => (one.id === id ? { ...one, ...values } : one)));
    setUploads((now) => [...now, { id, name, part: 0 }]);
    const sent = await sendPicture(file, (part) => change({ part }));
    if (!sent.ok) return change({ failure: sent.detail });
    setUploads((now) => now.filter((one) => one.id !== id));
    setAnnouncement(`${name} is uploaded.`);
    onSent(sent.data.url, name);
  }

  async function sendAll(files: Iterable<File> | null | undefined) {
    const all = [...(files ?? [])];
    // those of earlier files
    setUploads((now) => now.filter(({ failure }) => !failure));
    for (const file of multiple ? all : all.slice(0, 1)) await send(file);
    if (input.current) input.current.value = "";
  }

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (files.length === 0) return;
    event.preventDefault();
    void sendAll(files);
  });
  useEffect(() => {
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);

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
        onChange={({ target }) => void sendAll(target.files)}
      />
      <Button size="sm" onClick={() => input.current?.click()}>
        {multiple ? "Choose files" : "Choose file"}
      </Button>
      {uploads.map(({ id, name, part, failure }) => (
        <div key={id} className="picture-drop__file">
          <span className="clamp">{name}</span>
          {failure ? (
            <FieldError>{failure}</FieldError>
          ) : (
            <>
              <DimensionBar
                part={Math.round(100 * part)}
                whole={100}
                label={`${Math.round(100 * part)}% sent`}
              />
              <small>{part < 1 ? `${Math.round(100 * part)}%` : "Checking"}</small>
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
