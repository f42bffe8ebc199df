import { describeError } from './commandError.ts';
import { runCommandLine } from './runCommandLine.ts';

runCommandLine(process.argv.slice(2), process.env).then(
  (printed) => {
    console.log(printed);
    process.exit(0);
  },
  (error: unknown) => {
    console.error(`rubadub operator: ${describeError(error)}`);
    process.exit(1);
  },
);
