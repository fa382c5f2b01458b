/** A pattern of diagonal lines, to fill a shape with. */
export function Hatch({ id, size }: { id: string; size: number }) {
  return (
    <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
      <path className="hatch" d={`M0 ${size / 2}h${size}`} />
    </pattern>
  );
}
