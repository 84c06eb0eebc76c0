import fc from 'fast-check';

// Thousands of mutants each run every law that meets them. In milliseconds.
fc.configureGlobal({ interruptAfterTimeLimit: 40 });
