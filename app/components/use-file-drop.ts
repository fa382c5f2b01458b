import { type DragEvent, useState } from "react";

/**
 * Props of an element that files can be dropped on; `data-over` is set while they are above it. A text that is dragged
 * is left to the field under it.
 */
export function useFileDrop(onDrop: (files: FileList) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    "data-over": isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      const { files } = event.dataTransfer;
      setIsOver(false);
      if (!files.length) return;
      event.preventDefault();
      onDrop(files);
    },
  };
}
