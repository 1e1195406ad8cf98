/** An optional peer dependency: the sources compile where it is not installed, too. */
declare module 'pkcs11js' {
  const module: import('./pkcs11-module.ts').Pkcs11Module
  export = module
}
