/** What a person can choose. */
export type Choice = 'auto' | 'light' | 'dark';

const storageKey = 'weir.theme'; // read by public/theme.js before the first paint
const system = matchMedia('(prefers-color-scheme: dark)');

class Theme {
  choice = $state<Choice>(stored());
  #system = $state(system.matches);

  constructor() {
    system.addEventListener('change', () => {
      this.#system = system.matches;
      this.#apply();
    });
    this.#apply();
  }

  /** The theme that is shown. */
  get shown(): 'light' | 'dark' {
    if (this.choice !== 'auto') return this.choice;
    return this.#system ? 'dark' : 'light';
  }

  choose(choice: Choice): void {
    this.choice = choice;
    try {
      if (choice === 'auto') localStorage.removeItem(storageKey);
      else localStorage.setItem(storageKey, choice);
    } catch {
      // Blocked storage: the choice holds until the tab is closed.
    }
    this.#apply();
  }

  /** Switches between light and dark. */
  toggle(): void {
    this.choose(this.shown === 'dark' ? 'light' : 'dark');
  }

  /** Auto, light, dark, and round again. */
  next(): void {
    this.choose(this.choice === 'auto' ? 'light' : this.choice === 'light' ? 'dark' : 'auto');
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.shown;
  }
}

function stored(): Choice {
  try {
    const choice = localStorage.getItem(storageKey);
    return choice === 'light' || choice === 'dark' ? choice : 'auto';
  } catch {
    return 'auto';
  }
}

/** The theme of this tab. */
export const theme = new Theme();
