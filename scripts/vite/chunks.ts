const SIGN_IN_MODULES =
  /Button|Loader|Input|PasswordField|hooks\/useForm|AuthPage|PageHead|ActionIcon|hooks\/documentTitle/;
const RARELY_USED_MODULES = /maplibre|react-map-gl|phone/;

/** Groups of modules that share a file. Without them a dashboard loads 44 small files, which is slower and 6 kB larger. */
export const CHUNK_GROUPS = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 4 },
  { name: 'first', tags: ['$initial' as const], priority: 3 },
  { name: 'sign-in', test: SIGN_IN_MODULES, minShareCount: 4, priority: 2 },
  { name: 'common', test: (id: string) => !RARELY_USED_MODULES.test(id), minShareCount: 7, priority: 1 },
];
