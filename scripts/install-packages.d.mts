export function installPackages(folder: string, ...options: string[]): void
