window.Square = {};
