export function Landing() {
  return <main>Rubadub</main>;
}
