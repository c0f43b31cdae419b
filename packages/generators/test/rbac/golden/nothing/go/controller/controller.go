package controller

const nothing = 1
