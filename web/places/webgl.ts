let isSupported: boolean | undefined;

/** Whether this browser supports WebGL; checked once. */
export function hasWebGL(): boolean {
  isSupported ??= detectWebGL();
  return isSupported;
}

function detectWebGL(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2');
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}
