/** A person's name on one line. What does not fit is cut for the eye, and not for screen readers. */
export function PersonName({ name }: { name: string }) {
  return (
    <span className="one-line" title={name}>
      {name}
    </span>
  );
}
